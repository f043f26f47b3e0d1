// Pulumi's generators of Java, for the package schema of the native plugin. They need older modules of Pulumi than the other generators:
//
//	java sdk <schema.json> java <folder>                    an SDK that Maven builds
//	java programs <schema.json> <folder of PCL> <folder>    programs
//
// The arguments are those of codegen.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

var usage = errors.New("usage: java sdk <schema.json> java <folder>, or java programs <schema.json> <folder of PCL> <folder>")

// What Maven needs to build the SDK: the generator writes no such file.
//
//go:embed pom.xml
var pom string

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return usage
	}
	text, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	pkg, err := schema.ImportSpec(spec, nil, schema.ValidationOptions{})
	if err != nil {
		return err
	}
	switch {
	case args[0] == "programs":
		return convert(pkg, args[2], args[3])
	case args[0] == "sdk" && args[2] == "java":
		more := map[string][]byte{"pom.xml": []byte(fmt.Sprintf(pom, pkg.Name, pkg.Version))}
		files, err := java.GeneratePackage("pulumi", pkg, more, nil, true, false)
		if err != nil {
			return err
		}
		return write(args[3], files)
	}
	return usage
}

// convert writes each program of a folder in Java.
func convert(pkg *schema.Package, folder, out string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.pp"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := generate(pkg, file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".pp") + ".java"
		if err := write(out, map[string][]byte{name: []byte(mend(pkg, text))}); err != nil {
			return err
		}
	}
	return nil
}

func generate(pkg *schema.Package, file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	parser := syntax.NewParser()
	if err := parser.ParseFile(strings.NewReader(string(text)), file); err != nil {
		return "", err
	}
	if parser.Diagnostics.HasErrors() {
		return "", parser.Diagnostics
	}
	program, found, err := pcl.BindProgram(parser.Files, pcl.Loader(loader{pkg: pkg}), pcl.PreferOutputVersionedInvokes)
	if err != nil {
		return "", err
	}
	if found.HasErrors() {
		return "", found
	}
	files, found, err := java.GenerateProgram(program)
	if err != nil {
		return "", err
	}
	if found.HasErrors() {
		return "", found
	}
	// One file has it all.
	var whole string
	for _, text := range files {
		whole += string(text)
	}
	return whole, nil
}

// A loader knows one package, and what Pulumi has built in. Nothing else is asked of it.
type loader struct {
	schema.ReferenceLoader
	pkg *schema.Package
}

func (l loader) LoadPackageReferenceV2(_ context.Context, descriptor *schema.PackageDescriptor) (schema.PackageReference, error) {
	switch descriptor.Name {
	case l.pkg.Name:
		return l.pkg.Reference(), nil
	case "pulumi":
		return schema.DefaultPulumiPackage.Reference(), nil
	}
	return nil, fmt.Errorf("there is no package %q", descriptor.Name)
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
