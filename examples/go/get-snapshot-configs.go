package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		result, err := statecraft.GetSnapshotConfigs(ctx, &statecraft.GetSnapshotConfigsArgs{}, nil)
		if err != nil {
			return err
		}
		ctx.Export("found", pulumi.ToStringArray(result.Names))
		return nil
	})
}
