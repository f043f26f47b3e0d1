"""Runs each program that it is given, with the SDK's mocks instead of the engine."""

import json
import os
import runpy
import sys

import pulumi


class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return [f"{args.name}-id", args.inputs]

    def call(self, args):
        return args.args


@pulumi.runtime.test
def run(program):
    """Ends when every resource is declared: what the SDK finds wrong with one, it tells no earlier."""
    runpy.run_path(program)


for program in sys.argv[1:]:
    pulumi.runtime.set_mocks(Mocks())
    pulumi.runtime.set_all_config(json.loads(os.environ["PULUMI_CONFIG"]))
    run(program)
    print(program)
