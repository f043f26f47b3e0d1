// Runs each example with the SDK's mocks instead of the engine. go.test.ts writes the list of examples.
package main

import (
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type mocks struct{}

func (mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	return args.Name + "-id", args.Inputs, nil
}

func (mocks) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	return args.Args, nil
}

type example struct {
	name    string
	program pulumi.RunFunc
}

func main() {
	for _, one := range examples {
		if err := pulumi.RunErr(one.program, pulumi.WithMocks("project", "stack", mocks{})); err != nil {
			fmt.Fprintln(os.Stderr, one.name, err)
			os.Exit(1)
		}
		fmt.Println(one.name)
	}
}
