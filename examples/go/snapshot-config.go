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
			Name:     pulumi.String("hourly"),
			Interval: pulumi.Any("1h"),
			Retain:   pulumi.Int(24),
			Storage: &statecraft.LocalStorageArgs{
				Type:       pulumi.String("local"),
				PathPrefix: pulumi.String("/var/snapshots"),
				MaxSpace:   pulumi.Any(10000000000),
			},
		})
		if err != nil {
			return err
		}
		daily, err := statecraft.NewSnapshotConfig(ctx, "daily", &statecraft.SnapshotConfigArgs{
			Name:       pulumi.String("daily"),
			Interval:   pulumi.Any("24h"),
			Retain:     pulumi.Int(30),
			FilePrefix: pulumi.String("daily"),
			Storage: &statecraft.S3StorageArgs{
				Type:            pulumi.String("aws-s3"),
				Bucket:          pulumi.String("snapshots"),
				Region:          pulumi.String("eu-central-1"),
				PathPrefix:      pulumi.String("vault"),
				AccessKeyId:     bucketKeyId,
				SecretAccessKey: bucketKey,
				EnableKms:       pulumi.Bool(true),
				KmsKey:          pulumi.String("snapshots"),
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
