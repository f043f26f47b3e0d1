package main

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

var (
	objectOfUnion = regexp.MustCompile(`\b(\w+): pulumi\.Bool\{`)
	plainExport   = regexp.MustCompile(`ctx\.Export\((".*?"), (result\.\w+)\)`)
	exponent      = regexp.MustCompile(`\b\d+(?:\.\d+)?e\+\d+\b`)
	oldConfig     = regexp.MustCompile(`(?m)^configuration:$`)
)

// mendGo mends what does not compile.
//
//	an object, where a boolean would do too pulumi.Bool{…} is no value
//	a plain result                          is no output
//	names that resources have taken         the SDK has others
func mendGo(pkg *schema.Package, text string) string {
	text = objectOfUnion.ReplaceAllStringFunc(text, func(found string) string {
		property := objectOfUnion.FindStringSubmatch(found)[1]
		return property + ": &statecraft." + objectIn(pkg, property) + "Args{"
	})
	text = plainExport.ReplaceAllString(text, "ctx.Export($1, pulumi.ToOutput($2))")
	for _, resource := range pkg.Resources {
		name := nameOf(resource.Token)
		getter := regexp.MustCompile(`\bstatecraft\.Get(` + name + `(?:Output)?(?:Args)?)\b`)
		text = getter.ReplaceAllString(text, "statecraft.Lookup$1")
	}
	return text
}

// objectIn names the object that a property may be, as Go calls the property.
func objectIn(pkg *schema.Package, property string) string {
	for _, resource := range pkg.Resources {
		for _, input := range resource.InputProperties {
			union, isUnion := codegen.UnwrapType(input.Type).(*schema.UnionType)
			if !isUnion || !strings.EqualFold(input.Name, property) {
				continue
			}
			for _, element := range union.ElementTypes {
				if object, isObject := codegen.UnwrapType(element).(*schema.ObjectType); isObject {
					return nameOf(object.Token)
				}
			}
		}
	}
	return property
}

func nameOf(token string) string {
	return token[strings.LastIndex(token, ":")+1:]
}

// mendYAML writes great numbers as people do, and calls the configuration by its present name.
func mendYAML(_ *schema.Package, text string) string {
	text = oldConfig.ReplaceAllString(text, "config:")
	return exponent.ReplaceAllStringFunc(text, func(number string) string {
		value, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return number
		}
		return strconv.FormatFloat(value, 'f', -1, 64)
	})
}
