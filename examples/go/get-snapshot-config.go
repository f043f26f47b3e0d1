package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		snapshotConfig := statecraft.LookupSnapshotConfigOutput(ctx, statecraft.LookupSnapshotConfigOutputArgs{
			Name: pulumi.String("web"),
		}, nil)
		ctx.Export("found", snapshotConfig.Interval())
		return nil
	})
}
