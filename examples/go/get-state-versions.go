package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		stateVersions := statecraft.GetStateVersionsOutput(ctx, statecraft.GetStateVersionsOutputArgs{
			Organization:  pulumi.String("example"),
			WorkspaceName: pulumi.String("app"),
		}, nil)
		ctx.Export("found", stateVersions.StateVersions())
		return nil
	})
}
