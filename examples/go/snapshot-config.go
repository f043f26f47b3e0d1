package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		bucketKeyId := cfg.RequireSecret("bucketKeyId")
		bucketKey := cfg.RequireSecret("bucketKey")
		hourly, err := statecraft.NewSnapshotConfig(ctx, "hourly", &statecraft.SnapshotConfigArgs{
			Interval: pulumi.Any("1h"),
			Name:     pulumi.String("hourly"),
			Retain:   pulumi.Int(24),
			Storage: &statecraft.LocalStorageArgs{
				MaxSpace:   pulumi.Float64(10000000000),
				PathPrefix: pulumi.String("/var/snapshots"),
				Type:       pulumi.String("local"),
			},
		})
		if err != nil {
			return err
		}
		daily, err := statecraft.NewSnapshotConfig(ctx, "daily", &statecraft.SnapshotConfigArgs{
			FilePrefix: pulumi.String("daily"),
			Interval:   pulumi.Any("24h"),
			Name:       pulumi.String("daily"),
			Retain:     pulumi.Int(30),
			Storage: &statecraft.S3StorageArgs{
				AccessKeyId:     bucketKeyId,
				Bucket:          pulumi.String("snapshots"),
				EnableKms:       pulumi.Bool(true),
				KmsKey:          pulumi.String("snapshots"),
				PathPrefix:      pulumi.String("vault"),
				Region:          pulumi.String("eu-central-1"),
				SecretAccessKey: bucketKey,
				Type:            pulumi.String("aws-s3"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("hourlyId", hourly.ID())
		ctx.Export("dailyId", daily.ID())
		return nil
	})
}
