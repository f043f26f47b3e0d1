// Writes an SDK of the native plugin from its package schema, with Pulumi's generators:
//
//	codegen <schema.json> <python|go> <folder>
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The generators name themselves so in what they write.
const tool = "pulumi"

var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage(tool, pkg, nil, nil)
	},
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return gen.GeneratePackage(tool, pkg, nil)
	},
}

var usage = errors.New("usage: codegen <schema.json> <python|go> <folder>")

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 || generators[args[1]] == nil {
		return usage
	}
	pkg, err := bind(args[0])
	if err != nil {
		return err
	}
	files, err := generators[args[1]](pkg)
	if err != nil {
		return err
	}
	return write(args[2], files)
}

// bind reads the package schema and checks it.
func bind(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	return pkg, nil
}

func write(folder string, files map[string][]byte) error {
	for name, content := range files {
		target := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
