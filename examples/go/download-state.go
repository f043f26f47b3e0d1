package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		downloadState := statecraft.DownloadStateOutput(ctx, statecraft.DownloadStateOutputArgs{
			StateVersionId: pulumi.String("sv-3"),
		}, nil)
		ctx.Export("found", downloadState.Serial())
		return nil
	})
}
