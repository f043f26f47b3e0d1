package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		result, err := statecraft.GetWorkspace(ctx, &statecraft.GetWorkspaceArgs{
			Organization: pulumi.StringRef("example"),
			Name:         pulumi.StringRef("app"),
		}, nil)
		if err != nil {
			return err
		}
		ctx.Export("found", pulumi.String(result.Id))
		return nil
	})
}
