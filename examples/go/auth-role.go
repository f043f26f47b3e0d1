package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		web, err := statecraft.NewAuthRole(ctx, "web", &statecraft.AuthRoleArgs{
			Name:                     pulumi.String("web"),
			BoundServicePrincipalIds: pulumi.StringArray{pulumi.String("9a1f0c5e-0000-4000-8000-000000000003")},
			BoundResourceGroups:      pulumi.StringArray{pulumi.String("web-prod"), pulumi.String("web-staging")},
			TokenPolicies:            pulumi.StringArray{pulumi.String("web")},
			TokenTtl:                 pulumi.Any("1h"),
			TokenMaxTtl:              pulumi.Any("24h"),
			TokenBoundCidrs:          pulumi.StringArray{pulumi.String("10.0.0.0/8")},
		})
		if err != nil {
			return err
		}
		billing, err := statecraft.NewAuthRole(ctx, "billing", &statecraft.AuthRoleArgs{
			Name:                     pulumi.String("billing"),
			BoundServicePrincipalIds: pulumi.StringArray{pulumi.String("9a1f0c5e-0000-4000-8000-000000000004")},
			BoundResourceGroups:      pulumi.StringArray{pulumi.String("billing")},
			TokenPolicies:            pulumi.StringArray{pulumi.String("billing"), pulumi.String("ledger-read")},
			TokenTtl:                 pulumi.Any("1h"),
			TokenMaxTtl:              pulumi.Any("24h"),
			TokenBoundCidrs:          pulumi.StringArray{pulumi.String("10.0.0.0/8")},
		})
		if err != nil {
			return err
		}
		ctx.Export("webId", web.ID())
		ctx.Export("billingId", billing.ID())
		return nil
	})
}
