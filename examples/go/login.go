package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		jwt := cfg.RequireSecret("jwt")
		result := statecraft.LoginOutput(ctx, statecraft.LoginOutputArgs{
			Role:              pulumi.String("web"),
			Jwt:               jwt,
			SubscriptionId:    pulumi.String("11111111-2222-4333-8444-555555555555"),
			ResourceGroupName: pulumi.String("prod"),
			VmName:            pulumi.String("web-1"),
		}, nil)
		ctx.Export("found", result.ClientToken())
		return nil
	})
}
