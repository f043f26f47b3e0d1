package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		csiVolumes := statecraft.GetCsiVolumesOutput(ctx, statecraft.GetCsiVolumesOutputArgs{}, nil)
		ctx.Export("found", csiVolumes.Volumes())
		return nil
	})
}
