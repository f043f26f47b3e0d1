package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		database, err := statecraft.NewCsiVolume(ctx, "database", &statecraft.CsiVolumeArgs{
			AccessMode:     pulumi.String("single-node-writer"),
			AttachmentMode: pulumi.String("file-system"),
			ExternalId:     pulumi.String("vol-0a1b"),
			PluginId:       pulumi.String("disks"),
			Topologies: pulumi.StringMapArray{
				pulumi.StringMap{
					"rack": pulumi.String("r1"),
				},
				pulumi.StringMap{
					"rack": pulumi.String("r2"),
				},
			},
			VolumeId:             pulumi.String("database"),
			WaitUntilSchedulable: pulumi.Any("2m"),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		scratch, err := statecraft.NewCsiVolume(ctx, "scratch", &statecraft.CsiVolumeArgs{
			AccessMode:     pulumi.String("multi-node-multi-writer"),
			AttachmentMode: pulumi.String("file-system"),
			ExternalId:     pulumi.String("vol-0a1c"),
			PluginId:       pulumi.String("disks"),
			VolumeId:       pulumi.String("scratch"),
		})
		if err != nil {
			return err
		}
		ctx.Export("databaseSchedulable", database.Schedulable)
		ctx.Export("scratchSchedulable", scratch.Schedulable)
		return nil
	})
}
