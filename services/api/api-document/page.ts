import { type Html, html } from '../pages/html.ts'
import { curlLine } from './curl.ts'
import type { JsonSchema } from './json-schema.ts'
import type { ApiDocument, Operation, RequestBody } from './openapi.ts'
import { typeText } from './type-text.ts'

interface Listed {
  method: string
  path: string
  operation: Operation
}

/** The document to read, in English as docs/interface.md is, with a line for curl where a program may ask. */
export function apiPage({ paths, tags, components }: ApiDocument, origin: string): Html {
  const listed = Object.keys(paths)
    .sort()
    .flatMap(path =>
      Object.entries(paths[path]!).map(([method, operation]): Listed => ({ method, path, operation })),
    )
  return html`<div class="api-docs" lang="en">
<h1>API</h1>
<div class="prose">
<p>The interface of this server, by what a program needs for it. <a href="/openapi.json">openapi.json</a> has the same for tools.</p>
<p>Make a token in bothy: Settings, Tokens. Keep it in <code>$TOKEN</code>. Errors are JSON with a <code>code</code>.</p>
<p>${tags.map(({ name }, i) => html`${i > 0 && ' · '}<a href="#${name}">${HEADINGS[name]}</a>`)} · <a href="#types">Types</a></p>
</div>
${tags.map(({ name, description }) => {
  const ofTag = listed.filter(({ operation }) => operation.tags.includes(name))
  return html`<h2 id="${name}">${HEADINGS[name]}</h2>
<div class="prose"><p>${description}</p></div>
<div class="systems">${ofTag.map(one => entryOf(one, origin))}</div>`
})}
<h2 id="types">Types</h2>
<div class="prose"><p>Parts of the responses. Later versions may add keys.</p></div>
<div class="systems">${Object.entries(components.schemas)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => typeOf(name, schema as JsonSchema))}</div>
</div>`
}

const HEADINGS: Record<string, string> = {
  read: 'Reading',
  write: 'Writing',
  channels: 'Channels',
  admin: 'Administration',
  slack: "Slack's methods",
  open: 'Without an account',
  session: 'Browsers alone',
}

function entryOf({ method, path, operation }: Listed, origin: string): Html {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const line = curlLine(origin, { method, path, operation })
  const query = parameters.filter(one => one.in === 'query')
  const [type, { schema }] = Object.entries(requestBody?.content ?? {})[0] ?? ['', { schema: {} }]
  const needed = (schema['required'] as string[] | undefined) ?? []
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  return html`<details><summary><code>${method.toUpperCase()} ${path}</code> <span>${summary}</span></summary>
<div class="prose">
<p>${description.replaceAll('`', '')}</p>
${query.length > 0 && html`<p>Query:</p><ul>${query.map(one => fieldOf(one.name, one.required === true, one.description))}</ul>`}
${fields.length > 0 && html`<p>Body, ${Object.keys(requestBody!.content).join(' or ')}:</p><ul>${fields.map(([name, field]) => fieldOf(name, needed.includes(name), textOf(field)))}</ul>`}
${fields.length === 0 && type !== '' && html`<p>Body, ${type}.</p>`}
<p>Statuses: ${Object.keys(responses).join(', ')}.</p>
${Object.entries(responses).map(([status, response]) => bodyOf(status, response))}
${line !== undefined && html`<pre class="fingerprint"><code>${line}</code></pre>`}
</div></details>
`
}

/** The type of a JSON body; nothing for others. */
function bodyOf(status: string, { content }: { content?: RequestBody['content'] }): Html | false {
  const json = content?.['application/json']
  return json !== undefined && html`<p>${status}: ${typeCode(json.schema)}</p>`
}

function typeOf(name: string, schema: JsonSchema): Html {
  const { properties, description, required = [] } = schema
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>)
  // The fragment is within the details, which open for it.
  return html`<details><summary><code>${name}</code></summary>
<div class="prose" id="${name}">
${description !== undefined && html`<p>${String(description).replaceAll('`', '')}</p>`}
${fields.length === 0 && html`<p>${typeCode(schema)}</p>`}
${fields.length > 0 && html`<ul>${fields.map(([key, field]) => html`<li><code>${key}${!(required as string[]).includes(key) && '?'}</code>: ${typeCode(field)}</li>`)}</ul>`}
</div></details>
`
}

/** The text of a type, whose names lead to `typeOf`. */
const typeCode = (schema: JsonSchema): Html =>
  html`<code>${typeText(schema)
    .split(/\b([A-Z]\w+)\b/)
    .map((part, i) =>
      i % 2 === 1 && part !== 'Record' && part !== 'Array' ? html`<a href="#${part}">${part}</a>` : part,
    )}</code>`

const fieldOf = (name: string, isNeeded: boolean, text = '') =>
  html`<li><code>${name}</code>${isNeeded && ' (must be given)'}${text !== '' && `: ${text}`}</li>`

/** The rules of a field, else its type. */
const textOf = ({ description, type }: JsonSchema): string =>
  String(description ?? [type ?? ''].flat().join(' or '))
