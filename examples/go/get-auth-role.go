package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		authRole := statecraft.LookupAuthRoleOutput(ctx, statecraft.LookupAuthRoleOutputArgs{
			Name: pulumi.String("web"),
		}, nil)
		ctx.Export("found", authRole.BoundServicePrincipalIds())
		return nil
	})
}
