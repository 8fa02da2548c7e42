"""What the methods of an agent do that write it: `convert` and `export` for one agent, in memory."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import get_args

from fsagent_lint.agent.agent import Agent, Enricher, Enrichers
from fsagent_lint.converter import export
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.run import convert_agent
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.dump import to_yaml
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import active_tables, get_harness, in_force, plain_id
from fsagent_lint.model.choices import (
    Config,
    HarnessId,
    OutputType,
    Shape,
    ToolFormat,
    check_choice,
)
from fsagent_lint.model.converted import Converted, Exported
from fsagent_lint.model.tool import ACCEPT_ALL, ACCEPT_NONE
from fsagent_lint.project.enrichers import load_enrichers
from fsagent_lint.project.session import load_harnesses, start_session
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.report.json import to_json


class _Converter:
    """`agent/agent.py: Converter`."""

    def write(
        self,
        agent: Agent,
        to: HarnessId,
        tool_format: ToolFormat,
        enrich: Enrichers,
        *,
        unsafe: bool,
        plugins: bool,
        config: Config,
    ) -> Converted:
        with in_force(active_tables()):
            settings = start_session(config, plugins=plugins)
            load_harnesses(to, agent.harness)
            enrichers = load_enrichers(settings, enrich, plugins=plugins)
            job = job_for(get_harness(plain_id(to)), settings, tool_format, enrichers)
            job = dataclasses.replace(job, accept=ACCEPT_ALL if unsafe else ACCEPT_NONE)
            return convert_agent(_in_project(agent, job.subjects).subject, job)

    def export(
        self,
        agent: Agent,
        output_type: OutputType,
        shape: Shape,
        enrich: Enrichers,
        *,
        plugins: bool,
        config: Config,
    ) -> Exported:
        check_choice("output type", output_type, get_args(OutputType))
        check_choice("shape", shape, get_args(Shape))
        if output_type == "md" and shape != "canonical":
            raise UserError(f"The shape {shape} is one of JSON and YAML; `write` makes markdown for a harness.")
        if shape == "canonical":
            if enrich:
                raise UserError("Enrichers change what is written for a harness, and the canonical shape is for none.")
            with in_force(agent.tables):
                return _canonical(agent, output_type)
        with in_force(active_tables()):
            settings = start_session(config, plugins=plugins)
            load_harnesses(agent.harness)
            enrichers = load_enrichers(settings, enrich, plugins=plugins)
            shaped = export.shape(_in_project(agent, Subjects(settings)), shape, enrichers)
            return Exported(_dump(shaped.value, output_type), shaped.losses)


Agent.converter = _Converter()


def job_for(target: Harness, settings: Settings, tool_format: ToolFormat, enrichers: Sequence[Enricher]) -> Job:
    """What to convert for a harness, as the config has it."""
    check_choice("tool format", tool_format, get_args(ToolFormat))
    return Job(target, ".", form=tool_format, enrichers=enrichers, subjects=Subjects(settings))


def _in_project(agent: Agent, subjects: Subjects) -> Agent:
    """An agent made in code lies in the current project once it is written: its servers and custom tools are known."""
    subject = agent.subject
    if subject.neighbours is not None:
        return agent
    return Agent.of(subjects.of_document(subject.document, subject.harness, subject.kind_name))


def _canonical(agent: Agent, output_type: OutputType) -> Exported:
    if output_type == "md":
        converted = export.markdown(agent)
        return Exported(converted.data, converted.losses)
    return Exported(_dump(export.normalise(agent), output_type))


def _dump(value: dict[str, object], output_type: OutputType) -> bytes:
    return (to_json if output_type == "json" else to_yaml)(value).encode("utf-8", "backslashreplace")
