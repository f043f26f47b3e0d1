package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		authRoles := statecraft.GetAuthRolesOutput(ctx, statecraft.GetAuthRolesOutputArgs{}, nil)
		ctx.Export("found", authRoles.Names())
		return nil
	})
}
