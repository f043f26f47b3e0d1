package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		clientSecret := cfg.RequireSecret("clientSecret")
		method, err := statecraft.NewAuthConfig(ctx, "method", &statecraft.AuthConfigArgs{
			TenantId:      pulumi.String("9a1f0c5e-0000-4000-8000-000000000001"),
			Resource:      pulumi.String("https://management.azure.com/"),
			ClientId:      pulumi.String("9a1f0c5e-0000-4000-8000-000000000002"),
			ClientSecret:  clientSecret,
			MaxRetries:    pulumi.Int(5),
			RetryDelay:    pulumi.Any("2s"),
			MaxRetryDelay: pulumi.Any("2m"),
		})
		if err != nil {
			return err
		}
		web, err := statecraft.NewAuthRole(ctx, "web", &statecraft.AuthRoleArgs{
			Name:                     pulumi.String("web"),
			BoundServicePrincipalIds: pulumi.StringArray{pulumi.String("9a1f0c5e-0000-4000-8000-000000000003")},
			BoundResourceGroups:      pulumi.StringArray{pulumi.String("prod")},
			TokenPolicies:            pulumi.StringArray{pulumi.String("web")},
			TokenTtl:                 pulumi.Any("1h"),
		}, pulumi.DependsOn([]pulumi.Resource{method}))
		if err != nil {
			return err
		}
		ctx.Export("methodId", method.ID())
		ctx.Export("webId", web.ID())
		return nil
	})
}
