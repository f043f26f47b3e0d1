package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/importer"
	"github.com/pulumi/pulumi/pkg/v3/resource"
	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/providers"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"
)

// printImported writes what `pulumi import` prints of the resources of a stack, in each language, and mends nothing.
func printImported(pkg *schema.Package, file, out string) error {
	snapshot, err := exported(file)
	if err != nil {
		return err
	}
	var imported []*resource.State
	for _, state := range snapshot {
		if state.Custom && !providers.IsProviderType(state.Type) {
			imported = append(imported, state)
		}
	}
	packages := loader{pkg}
	for _, language := range languages {
		print := func(_ io.Writer, program *pcl.Program) error {
			again, err := rebound(program, packages)
			if err != nil {
				return err
			}
			files, err := language.generate(again)
			if err != nil {
				return err
			}
			return write(filepath.Join(out, language.name), files)
		}
		err := importer.GenerateLanguageDefinitions(io.Discard, packages, print, imported, snapshot, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", language.name, err)
		}
	}
	return nil
}

// exported reads what `pulumi stack export --show-secrets` prints.
func exported(file string) ([]*resource.State, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var told struct{ Deployment apitype.DeploymentV3 }
	if err := json.Unmarshal(text, &told); err != nil {
		return nil, err
	}
	var states []*resource.State
	for _, one := range told.Deployment.Resources {
		state, err := stack.DeserializeResource(one, config.NopDecrypter)
		if err != nil {
			return nil, err
		}
		states = append(states, state)
	}
	return states, nil
}

// rebound does what each language host does with the program that the command sends it.
func rebound(program *pcl.Program, packages loader) (*pcl.Program, error) {
	parser := syntax.NewParser()
	for name, text := range program.Source() {
		if err := parser.ParseFile(strings.NewReader(text), name); err != nil {
			return nil, err
		}
	}
	if parser.Diagnostics.HasErrors() {
		return nil, parser.Diagnostics
	}
	again, found, err := pcl.BindProgram(parser.Files, packages, pcl.NonStrictBindOptions()...)
	if err != nil {
		return nil, err
	}
	if found.HasErrors() {
		return nil, found
	}
	return again, nil
}
