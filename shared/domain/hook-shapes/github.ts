/** Webhooks of GitHub; Gitea and Forgejo differ in few fields (`gitea.ts`). */
import type { Fields } from '../slack-values.ts'
import { type Converted, type HookInput, type HookMessage, type HookShape, headerIn } from './shape.ts'
import {
  addressOf,
  bold,
  card,
  code,
  counted,
  excerpt,
  heading,
  keyOf,
  line,
  lines,
  link,
  listAt,
  listed,
  objectAt,
  plain,
  textAt,
} from './words.ts'

const MOST_COMMITS = 5
const FAILURES = ['failure', 'timed_out', 'startup_failure', 'error']

export const github: HookShape = {
  name: 'github',
  isIn: input => headerIn(input, 'x-github-event') !== undefined,
  convert: input => fromGithub(headerIn(input, 'x-github-event') ?? '', input),
}

export function fromGithub(event: string, { body }: HookInput): Converted {
  const action = textAt(body, 'action')
  const reader = Object.hasOwn(READERS, event) ? READERS[event] : undefined
  return (
    reader?.(body, action ?? '') ?? {
      ignored: action === undefined ? event : `${event} ${action.slice(0, 80)}`,
    }
  )
}

type Reader = (body: Fields, action: string) => HookMessage | undefined

const READERS: Record<string, Reader> = {
  push,
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: (body, action) =>
    action === 'created' ? comment(body, titled(body, 'pull_request', 'pull request')) : undefined,
  issues,
  issue_comment: (body, action) => (action === 'created' ? comment(body, subjectOfComment(body)) : undefined),
  commit_comment: (body, action) =>
    action === 'created'
      ? comment(body, `commit ${code(textAt(body, 'comment.commit_id')?.slice(0, 7))}`)
      : undefined,
  release,
  workflow_run: workflowRun,
  check_suite: checkSuite,
  deployment_status: deployment,
}

const sender = (body: Fields) => bold(textAt(body, 'sender.login'))
const repository = (body: Fields) =>
  link(textAt(body, 'repository.html_url'), textAt(body, 'repository.full_name'))

/** `pull request [#12 Title](address)`. */
function titled(body: Fields, name: string, noun: string): string {
  const number = textAt(body, `${name}.number`)
  const words = line(number && `#${number}`, textAt(body, `${name}.title`))
  return `${noun} ${link(textAt(body, `${name}.html_url`), words)}`
}

function told(body: Fields, words: string, text?: string): HookMessage {
  const content = line(sender(body), words, repository(body) && `in ${repository(body)}`)
  return { text: content, cards: text === undefined ? [] : [card({ text })] }
}

function push(body: Fields): HookMessage | undefined {
  const ref = textAt(body, 'ref') ?? ''
  const isTag = ref.startsWith('refs/tags/')
  const name = `${isTag ? 'tag' : 'branch'} ${code(ref.replace(/^refs\/(?:heads|tags)\//, ''))}`
  if (textAt(body, 'deleted') === 'true' || isZero(textAt(body, 'after')))
    return told(body, `deleted ${name}`)
  if (isTag) return told(body, `pushed ${name}`)
  const commits = listAt(body, 'commits')
  if (commits.length === 0)
    return told(body, `${isZero(textAt(body, 'before')) ? 'created' : 'moved'} ${name}`)
  const total = Math.max(Number(textAt(body, 'total_commits')) || 0, commits.length)
  const verb = textAt(body, 'forced') === 'true' ? 'force-pushed' : 'pushed'
  const address = textAt(body, 'compare') ?? textAt(body, 'compare_url')
  const { text, cards } = told(body, `${verb} ${link(address, counted(total, 'commit'))} to ${name}`)
  return { text: lines(text, listed(commits, MOST_COMMITS, commitLine, total)), cards }
}

const isZero = (hash: string | undefined) => hash !== undefined && /^0+$/.test(hash)

function commitLine(commit: Fields): string {
  const title = textAt(commit, 'message')?.split('\n', 1)[0]
  const author = textAt(commit, 'author.username') ?? textAt(commit, 'author.name')
  const hash = link(textAt(commit, 'url'), textAt(commit, 'id')?.slice(0, 7))
  return `- ${line(hash, plain(title), author && `(${plain(author)})`)}`
}

function pullRequest(body: Fields, action: string): HookMessage | undefined {
  const subject = titled(body, 'pull_request', 'pull request')
  const isDraft = textAt(body, 'pull_request.draft') === 'true'
  if (action === 'opened')
    return told(
      body,
      `opened ${isDraft ? 'draft ' : ''}${subject}`,
      excerpt(textAt(body, 'pull_request.body')),
    )
  if (action === 'ready_for_review') return told(body, `marked ${subject} as ready`)
  if (action !== 'closed') return undefined
  return told(body, `${textAt(body, 'pull_request.merged') === 'true' ? 'merged' : 'closed'} ${subject}`)
}

const VERDICTS = new Map([
  ['approved', 'approved'],
  ['changes_requested', 'asked for changes of'],
  ['commented', 'reviewed'],
])

function review(body: Fields, action: string): HookMessage | undefined {
  const verdict = VERDICTS.get(textAt(body, 'review.state')?.toLowerCase() ?? '')
  const text = textAt(body, 'review.body')
  // A review that only groups comments has no text: its comments are told.
  if (action !== 'submitted' || verdict === undefined || (verdict === 'reviewed' && text === undefined))
    return undefined
  return told(body, `${verdict} ${titled(body, 'pull_request', 'pull request')}`, excerpt(text))
}

function issues(body: Fields, action: string): HookMessage | undefined {
  if (!['opened', 'closed', 'reopened'].includes(action)) return undefined
  const text = action === 'opened' ? excerpt(textAt(body, 'issue.body')) : undefined
  return told(body, `${action} ${titled(body, 'issue', 'issue')}`, text)
}

function subjectOfComment(body: Fields): string {
  const isPull = objectAt(body, 'issue.pull_request') !== undefined || textAt(body, 'is_pull') === 'true'
  return titled(body, 'issue', isPull ? 'pull request' : 'issue')
}

function comment(body: Fields, subject: string): HookMessage {
  const verb = link(textAt(body, 'comment.html_url'), 'commented')
  return told(body, `${verb} on ${subject}`, excerpt(textAt(body, 'comment.body')))
}

function release(body: Fields, action: string): HookMessage | undefined {
  if (action !== 'published') return undefined
  const name = textAt(body, 'release.name') ?? textAt(body, 'release.tag_name')
  const subject = link(textAt(body, 'release.html_url'), name)
  return told(body, `published release ${subject}`, excerpt(textAt(body, 'release.body')))
}

interface Outcome {
  /** Name of the workflow, suite or deployment. */
  title: string
  address: string | undefined
  outcome: string
  key: string
}

/** Undefined for outcomes that are neither failure nor success. */
function outcomeOf(body: Fields, { title, address, outcome, key }: Outcome): HookMessage | undefined {
  const isFailure = FAILURES.includes(outcome)
  if (!isFailure && outcome !== 'success') return undefined
  const color = isFailure ? 'danger' : 'good'
  return {
    text: '',
    cards: [
      card({
        color,
        title: heading(`${isFailure ? 'Failed' : 'Recovered'}: ${title}`),
        url: addressOf(address),
        text: repository(body),
      }),
    ],
    incident: isFailure ? { key, state: 'failing' } : { key, state: 'recovered', isQuietAlone: true },
  }
}

function workflowRun(body: Fields, action: string): HookMessage | undefined {
  if (action !== 'completed') return undefined
  const run = objectAt(body, 'workflow_run') ?? {}
  const branch = textAt(run, 'head_branch')
  const workflow = textAt(run, 'workflow_id') ?? textAt(run, 'path') ?? textAt(run, 'name')
  return outcomeOf(body, {
    title: line(textAt(run, 'name') ?? textAt(run, 'display_title'), branch && `on ${branch}`),
    address: textAt(run, 'html_url'),
    outcome: textAt(run, 'conclusion') ?? '',
    key: keyOf('workflow', textAt(body, 'repository.full_name'), workflow, branch),
  })
}

function checkSuite(body: Fields, action: string): HookMessage | undefined {
  const app = textAt(body, 'check_suite.app.slug')
  // Suites of Actions come as workflow_run too.
  if (action !== 'completed' || app === 'github-actions') return undefined
  const branch = textAt(body, 'check_suite.head_branch')
  const address = textAt(body, 'repository.html_url')
  const hash = textAt(body, 'check_suite.head_sha')
  return outcomeOf(body, {
    title: line(textAt(body, 'check_suite.app.name') ?? 'Checks', branch && `on ${branch}`),
    address: address && hash && `${address}/commit/${hash}/checks`,
    outcome: textAt(body, 'check_suite.conclusion') ?? '',
    key: keyOf('checks', textAt(body, 'repository.full_name'), app, branch),
  })
}

function deployment(body: Fields): HookMessage | undefined {
  const place = textAt(body, 'deployment.environment') ?? textAt(body, 'deployment_status.environment')
  const ref = textAt(body, 'deployment.ref')
  return outcomeOf(body, {
    title: line('deployment', ref && `of ${ref}`, place && `to ${place}`),
    address: textAt(body, 'deployment_status.log_url') ?? textAt(body, 'deployment_status.target_url'),
    outcome: textAt(body, 'deployment_status.state') ?? '',
    key: keyOf('deployment', textAt(body, 'repository.full_name'), place),
  })
}
