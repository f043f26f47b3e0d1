package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		firstClientSecret := cfg.RequireSecret("firstClientSecret")
		method, err := statecraft.NewAuthConfig(ctx, "method", &statecraft.AuthConfigArgs{
			TenantId:     pulumi.String("9a1f0c5e-0000-4000-8000-000000000001"),
			Resource:     pulumi.String("https://management.azure.com/"),
			ClientId:     pulumi.String("9a1f0c5e-0000-4000-8000-000000000002"),
			ClientSecret: firstClientSecret,
		})
		if err != nil {
			return err
		}
		rotation, err := statecraft.NewRootRotation(ctx, "rotation", &statecraft.RootRotationArgs{
			Triggers: pulumi.Array{pulumi.Any("2026-1")},
		}, pulumi.DependsOn([]pulumi.Resource{method}))
		if err != nil {
			return err
		}
		ctx.Export("rotated", rotation.ID())
		return nil
	})
}
