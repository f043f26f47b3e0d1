package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		leaked, err := statecraft.NewStateVersionBackingData(ctx, "leaked", &statecraft.StateVersionBackingDataArgs{
			StateVersionId:       pulumi.String("sv-1"),
			State:                statecraft.BackingDataStateSoftDeleted,
			DeleteOlderThanNDays: pulumi.Int(30),
		})
		if err != nil {
			return err
		}
		ctx.Export("status", leaked.Status)
		return nil
	})
}
