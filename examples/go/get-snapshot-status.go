package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		snapshotStatus := statecraft.GetSnapshotStatusOutput(ctx, statecraft.GetSnapshotStatusOutputArgs{
			Name: pulumi.String("web"),
		}, nil)
		ctx.Export("found", snapshotStatus.LastSnapshotStart())
		return nil
	})
}
