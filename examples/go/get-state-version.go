package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		stateVersion := statecraft.LookupStateVersionOutput(ctx, statecraft.LookupStateVersionOutputArgs{
			Id: pulumi.String("sv-3"),
		}, nil)
		ctx.Export("found", stateVersion.CreatedAt())
		return nil
	})
}
