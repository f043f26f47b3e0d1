package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

var (
	lineEnd    = regexp.MustCompile(` +\n`)
	importLine = regexp.MustCompile(`(?m)^import ([\w.]+\.(\w+));\n`)
)

// mend mends what does not compile, and what is untidy.
//
//	configuration            of examples is secret and needed
//	a word                   is a constant of an enum
//	an object                where something else would do too, is no map
//	imports                  do not name all that is there, and are not all used
func mend(pkg *schema.Package, text string) string {
	text = lineEnd.ReplaceAllString(text, "\n")
	text = strings.ReplaceAll(text, "config.get(", "config.requireSecret(")
	for _, resource := range pkg.Resources {
		for _, property := range resource.InputProperties {
			text = mendCall(text, property)
		}
	}
	return mendImports(pkg, text)
}

// mendCall mends the calls that set a property.
func mendCall(text string, property *schema.Property) string {
	switch of := codegen.UnwrapType(property.Type).(type) {
	case *schema.EnumType:
		call := regexp.MustCompile(`\.` + property.Name + `\("(\w)(\w*)"\)`)
		return call.ReplaceAllStringFunc(text, func(found string) string {
			word := call.FindStringSubmatch(found)
			return "." + property.Name + "(" + nameOf(of.Token) + "." + strings.ToUpper(word[1]) + word[2] + ")"
		})
	case *schema.UnionType:
		for _, form := range of.ElementTypes {
			if object, isObject := codegen.UnwrapType(form).(*schema.ObjectType); isObject {
				call := regexp.MustCompile(`\.` + property.Name + `\(Map\.of\("(\w+)", (".*?")\)\)`)
				built := "Args.builder()\n                .$1($2)\n                .build())"
				text = call.ReplaceAllString(text, "."+property.Name+"("+nameOf(object.Token)+built)
			}
		}
	}
	return text
}

// mendImports writes those that are needed, in order, and no package.
func mendImports(pkg *schema.Package, text string) string {
	body := importLine.ReplaceAllString(text, "")
	isUsed := func(name string) bool {
		return regexp.MustCompile(`\b` + name + `\b`).MatchString(body)
	}
	var lines []string
	add := func(class, name string) {
		if line := "import " + class + ";\n"; isUsed(name) && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, found := range importLine.FindAllStringSubmatch(text, -1) {
		add(found[1], found[2])
	}
	for _, one := range pkg.Types {
		switch one := one.(type) {
		case *schema.EnumType:
			add("com.pulumi.statecraft.enums."+nameOf(one.Token), nameOf(one.Token))
		case *schema.ObjectType:
			add("com.pulumi.statecraft.inputs."+nameOf(one.Token)+"Args", nameOf(one.Token)+"Args")
		}
	}
	slices.Sort(lines)
	return strings.Replace(body, "package generated_program;\n\n", strings.Join(lines, ""), 1)
}

func nameOf(token string) string {
	return token[strings.LastIndex(token, ":")+1:]
}
