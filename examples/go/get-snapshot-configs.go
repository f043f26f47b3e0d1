package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		snapshotConfigs := statecraft.GetSnapshotConfigsOutput(ctx, statecraft.GetSnapshotConfigsOutputArgs{}, nil)
		ctx.Export("found", snapshotConfigs.Names())
		return nil
	})
}
