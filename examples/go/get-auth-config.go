package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		authConfig := statecraft.LookupAuthConfigOutput(ctx, statecraft.LookupAuthConfigOutputArgs{}, nil)
		ctx.Export("found", authConfig.TenantId())
		return nil
	})
}
