package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		workspace := statecraft.GetWorkspaceOutput(ctx, statecraft.GetWorkspaceOutputArgs{
			Organization: pulumi.String("example"),
			Name:         pulumi.String("app"),
		}, nil)
		ctx.Export("found", workspace.Locked())
		return nil
	})
}
