package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		currentStateVersion := statecraft.GetCurrentStateVersionOutput(ctx, statecraft.GetCurrentStateVersionOutputArgs{
			WorkspaceId: pulumi.String("ws-1"),
		}, nil)
		ctx.Export("found", currentStateVersion.Id())
		return nil
	})
}
