package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		data, err := statecraft.NewCsiVolume(ctx, "data", &statecraft.CsiVolumeArgs{
			VolumeId:       pulumi.String("data"),
			ExternalId:     pulumi.String("vol-0a1b"),
			PluginId:       pulumi.String("disks"),
			AccessMode:     pulumi.String("single-node-writer"),
			AttachmentMode: pulumi.String("file-system"),
		})
		if err != nil {
			return err
		}
		_, err = statecraft.NewCsiVolumeDetachment(ctx, "repair", &statecraft.CsiVolumeDetachmentArgs{
			VolumeId: data.VolumeId,
			Node:     pulumi.String("node-1"),
			Triggers: pulumi.Array{pulumi.Any("first")},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
