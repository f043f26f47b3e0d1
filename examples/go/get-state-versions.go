package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		result, err := statecraft.GetStateVersions(ctx, &statecraft.GetStateVersionsArgs{
			Organization:  "example",
			WorkspaceName: "app",
		}, nil)
		if err != nil {
			return err
		}
		ctx.Export("found", pulumi.ToOutput(result.StateVersions))
		return nil
	})
}
