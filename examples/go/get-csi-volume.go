package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		csiVolume := statecraft.LookupCsiVolumeOutput(ctx, statecraft.LookupCsiVolumeOutputArgs{
			VolumeId: pulumi.String("data"),
		}, nil)
		ctx.Export("found", csiVolume.ExternalId())
		return nil
	})
}
