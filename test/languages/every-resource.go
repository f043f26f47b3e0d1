package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		method, err := statecraft.NewAuthConfig(ctx, "method", &statecraft.AuthConfigArgs{
			TenantId:     pulumi.String("9a1f0c5e-0000-4000-8000-000000000001"),
			Resource:     pulumi.String("https://secrets.example/"),
			ClientId:     pulumi.String("9a1f0c5e-0000-4000-8000-000000000002"),
			ClientSecret: pulumi.String("planted-client-secret"),
		})
		if err != nil {
			return err
		}
		_, err = statecraft.NewRootRotation(ctx, "rotation", &statecraft.RootRotationArgs{
			Triggers: pulumi.Array{pulumi.Any("2026-1")},
		}, pulumi.DependsOn([]pulumi.Resource{method}))
		if err != nil {
			return err
		}
		_, err = statecraft.NewAuthRole(ctx, "web", &statecraft.AuthRoleArgs{
			Name:                pulumi.String("web"),
			BoundResourceGroups: pulumi.StringArray{pulumi.String("prod")},
			TokenTtl:            pulumi.Any("1h"),
		})
		if err != nil {
			return err
		}
		hourly, err := statecraft.NewSnapshotConfig(ctx, "hourly", &statecraft.SnapshotConfigArgs{
			Name:     pulumi.String("hourly"),
			Interval: pulumi.Any("1h"),
			Retain:   pulumi.Int(24),
			Storage: &statecraft.S3StorageArgs{
				Type:        pulumi.String("aws-s3"),
				Bucket:      pulumi.String("snapshots"),
				Region:      pulumi.String("north-1"),
				PathPrefix:  pulumi.String("vault"),
				AccessKeyId: pulumi.String("planted-key-id"),
				SecretAccessKeyFrom: &statecraft.SecretSourceArgs{
					Variable: pulumi.String("BUCKET_KEY"),
				},
			},
		})
		if err != nil {
			return err
		}
		data, err := statecraft.NewCsiVolume(ctx, "data", &statecraft.CsiVolumeArgs{
			VolumeId:       pulumi.String("data"),
			Name:           pulumi.String("data"),
			ExternalId:     pulumi.String("vol-0a1b"),
			PluginId:       pulumi.String("disks"),
			AccessMode:     pulumi.String("single-node-writer"),
			AttachmentMode: pulumi.String("file-system"),
			Topologies:     pulumi.StringMapArray{pulumi.StringMap{"rack": pulumi.String("r1")}},
		})
		if err != nil {
			return err
		}
		_, err = statecraft.NewCsiVolumeDetachment(ctx, "repair", &statecraft.CsiVolumeDetachmentArgs{
			VolumeId: data.VolumeId,
			Node:     pulumi.String("node-1"),
		})
		if err != nil {
			return err
		}
		freeze, err := statecraft.NewWorkspaceLock(ctx, "freeze", &statecraft.WorkspaceLockArgs{
			WorkspaceId: pulumi.String("ws-1"),
		})
		if err != nil {
			return err
		}
		undo, err := statecraft.NewStateVersionRollback(ctx, "undo", &statecraft.StateVersionRollbackArgs{
			WorkspaceId:    pulumi.String("ws-1"),
			StateVersionId: pulumi.String("sv-3"),
			Lock:           pulumi.Any(false),
		}, pulumi.DependsOn([]pulumi.Resource{freeze}))
		if err != nil {
			return err
		}
		made, err := statecraft.NewStateVersion(ctx, "made", &statecraft.StateVersionArgs{
			WorkspaceId: pulumi.String("ws-1"),
			Content:     pulumi.NewStringAsset("{\"version\":4,\"serial\":9,\"lineage\":\"5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10\",\"outputs\":{},\"resources\":[]}"),
			Lock:        pulumi.Any(false),
		}, pulumi.DependsOn([]pulumi.Resource{undo}))
		if err != nil {
			return err
		}
		_, err = statecraft.NewStateVersionBackingData(ctx, "old", &statecraft.StateVersionBackingDataArgs{
			StateVersionId: pulumi.String("sv-1"),
			State:          statecraft.BackingDataStateSoftDeleted,
		}, pulumi.DependsOn([]pulumi.Resource{made}))
		if err != nil {
			return err
		}
		workspace := statecraft.GetWorkspaceOutput(ctx, statecraft.GetWorkspaceOutputArgs{
			Organization: pulumi.String("example"),
			Name:         pulumi.String("app"),
		}, nil)
		ctx.Export("found", workspace.Id())
		ctx.Export("secret", method.ClientSecret)
		ctx.Export("storage", hourly.Storage)
		ctx.Export("topologies", data.Topologies)
		return nil
	})
}
