package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		database, err := statecraft.NewCsiVolume(ctx, "database", &statecraft.CsiVolumeArgs{
			VolumeId:       pulumi.String("database"),
			ExternalId:     pulumi.String("vol-0a1b"),
			PluginId:       pulumi.String("disks"),
			AccessMode:     pulumi.String("single-node-writer"),
			AttachmentMode: pulumi.String("file-system"),
			Topologies: pulumi.StringMapArray{
				pulumi.StringMap{"rack": pulumi.String("r1")},
				pulumi.StringMap{"rack": pulumi.String("r2")},
			},
			WaitUntilSchedulable: pulumi.Any("2m"),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		scratch, err := statecraft.NewCsiVolume(ctx, "scratch", &statecraft.CsiVolumeArgs{
			VolumeId:       pulumi.String("scratch"),
			ExternalId:     pulumi.String("vol-0a1c"),
			PluginId:       pulumi.String("disks"),
			AccessMode:     pulumi.String("multi-node-multi-writer"),
			AttachmentMode: pulumi.String("file-system"),
		})
		if err != nil {
			return err
		}
		ctx.Export("databaseSchedulable", database.Schedulable)
		ctx.Export("scratchSchedulable", scratch.Schedulable)
		return nil
	})
}
