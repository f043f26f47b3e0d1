package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/ast"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// What programs are written in. Each generator writes one file. What it leaves wrong in an example is mended; the examples are written in
// TypeScript.
var languages = []struct {
	name, ending string
	generate     func(*pcl.Program) (map[string][]byte, error)
	mend         func(*schema.Package, string) string
}{
	{"python", ".py", failing(python.GenerateProgram), asWritten},
	{"go", ".go", failing(gen.GenerateProgram), mendGo},
	{"yaml", ".yaml", failing(yaml.GenerateProgram), mendYAML},
}

// asWritten mends nothing.
func asWritten(_ *schema.Package, text string) string {
	return text
}

type diagnostics interface {
	error
	HasErrors() bool
}

// failing makes an error of what a generator finds wrong.
func failing[Found diagnostics](
	generate func(*pcl.Program) (map[string][]byte, Found, error),
) func(*pcl.Program) (map[string][]byte, error) {
	return func(program *pcl.Program) (map[string][]byte, error) {
		files, found, err := generate(program)
		if err == nil && found.HasErrors() {
			err = found
		}
		return files, err
	}
}

// convert writes each YAML program of a folder in all languages: <out>/<language>/<name>.<ending>.
func convert(pkg *schema.Package, folder, out string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if err := convertFile(pkg, file, name, out); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func convertFile(pkg *schema.Package, file, name, out string) error {
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	template, problems, err := pulumiyaml.LoadYAMLBytes(file, source)
	if err != nil {
		return err
	}
	if problems.HasErrors() {
		return problems
	}
	for _, language := range languages {
		// A generator changes the program that it gets.
		program, err := bound(template, loader{pkg})
		if err != nil {
			return err
		}
		files, err := language.generate(program)
		if err != nil {
			return err
		}
		for _, text := range files {
			target := filepath.Join(language.name, name+language.ending)
			mended := []byte(language.mend(pkg, string(text)))
			if err := write(out, map[string][]byte{target: mended}); err != nil {
				return err
			}
		}
	}
	return nil
}

// A key in quotes hides from the binder which form of a union an object is.
var quotedKey = regexp.MustCompile(`(?m)^(\s*)"(\w+)" = `)

func bound(template *ast.TemplateDecl, packages loader) (*pcl.Program, error) {
	text, found, err := yaml.ConvertTemplateIL(template, packages)
	if err != nil {
		return nil, err
	}
	if found.HasErrors() {
		return nil, found
	}
	parser := syntax.NewParser()
	if err := parser.ParseFile(strings.NewReader(quotedKey.ReplaceAllString(text, "$1$2 = ")), "program.pp"); err != nil {
		return nil, err
	}
	if parser.Diagnostics.HasErrors() {
		return nil, parser.Diagnostics
	}
	program, found, err := pcl.BindProgram(parser.Files, packages)
	if err != nil {
		return nil, err
	}
	if found.HasErrors() {
		return nil, found
	}
	return program, nil
}

// A loader knows one package, and what Pulumi has built in.
type loader struct{ pkg *schema.Package }

func (l loader) find(name string) (*schema.Package, error) {
	switch name {
	case l.pkg.Name:
		return l.pkg, nil
	case "pulumi":
		return schema.DefaultPulumiPackage, nil
	}
	return nil, fmt.Errorf("there is no package %q", name)
}

func (l loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	return l.find(name)
}

func (l loader) LoadPackageV2(_ context.Context, descriptor *schema.PackageDescriptor) (*schema.Package, error) {
	return l.find(descriptor.Name)
}

func (l loader) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.find(name)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l loader) LoadPackageReferenceV2(_ context.Context, descriptor *schema.PackageDescriptor) (schema.PackageReference, error) {
	return l.LoadPackageReference(descriptor.Name, nil)
}
