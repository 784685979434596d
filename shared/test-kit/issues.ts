import * as v from 'valibot'

const MOST = 3

/** Says where a value differs from its schema; undefined if it does not. */
export function issuesIn(schema: v.GenericSchema, value: unknown): string | undefined {
  const { issues } = v.safeParse(schema, value)
  return issues?.flatMap(withOptions).slice(0, MOST).map(sentenceOf).join('; ')
}

/** An issue of a union has those of its options. */
const withOptions = (issue: v.BaseIssue<unknown>): v.BaseIssue<unknown>[] => issue.issues ?? [issue]

const sentenceOf = (issue: v.BaseIssue<unknown>) => `${v.getDotPath(issue) ?? 'the body'}: ${issue.message}`
