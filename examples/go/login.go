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
		login := statecraft.LoginOutput(ctx, statecraft.LoginOutputArgs{
			Role:              pulumi.String("web"),
			Jwt:               jwt,
			VmName:            pulumi.String("web-1"),
			ResourceGroupName: pulumi.String("prod"),
			SubscriptionId:    pulumi.String("11111111-2222-4333-8444-555555555555"),
		}, nil)
		ctx.Export("found", login.ClientToken())
		return nil
	})
}
