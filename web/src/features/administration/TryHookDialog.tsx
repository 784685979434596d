import { useState } from 'preact/hooks'
import type { IncomingHookPayload, TriedHookPayload } from '#shared/domain/payloads/hooks.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { hookParts } from '../../common/hook-parts.ts'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { tryHook } from '../../net/requests/hooks.ts'
import { TextArea } from './TextArea.tsx'

const LONGEST = { headers: 4_000, body: 256 * 1024 }
const SAMPLE = '{"text": "*Build 4182* failed: <https://ci.example.org/4182|log>"}'

/** Shows the message that a pasted body makes. Nothing is stored. */
export function TryHookDialog({ hook, close }: { hook: IncomingHookPayload; close: () => void }) {
  const [body, setBody] = useState(SAMPLE)
  const [headers, setHeaders] = useState('')
  const [tried, setTried] = useState<TriedHookPayload>()
  const texts = strings.hooks
  const form = useSubmit({
    async send() {
      setTried(undefined)
      setTried(await tryHook(hook.id, { headers: headersIn(headers), body }))
    },
    whyNot: ({ status, code = '', message }) =>
      status === 400 || status === 413
        ? { field: 'body', sentence: texts.refused(texts.errors[code] ?? message) }
        : texts.notTried,
  })
  return (
    <FormDialog title={texts.tryOf(hook.name)} close={close} form={form} label={texts.show} cancel={false}>
      <p class="dialog-text">{texts.tryMore}</p>
      <TextArea
        name="body"
        label={texts.body}
        value={body}
        rows={6}
        maxLength={LONGEST.body}
        isCode
        problem={form.problemOf('body')}
        set={value => {
          setBody(value)
          form.clear('body')
        }}
      />
      <TextArea
        name="headers"
        label={texts.headers}
        hint={texts.headersHint}
        value={headers}
        rows={2}
        maxLength={LONGEST.headers}
        isCode
        set={setHeaders}
      />
      {tried && <Shown tried={tried} />}
    </FormDialog>
  )
}

function Shown({ tried: { content, cards, cards_at, dropped } }: { tried: TriedHookPayload }) {
  const Drawn = hookParts.get('WithCards')
  const texts = strings.hooks
  const row = {
    id: 0,
    content,
    mentions: null,
    extra: { cards, cards_at: cards_at ?? content.length },
  } as unknown as MessagePayload
  return (
    <div role="status">
      <span class="label">{texts.shown}</span>
      {content === '' && cards.length === 0 ? (
        <p class="hint">{texts.nothing}</p>
      ) : (
        <div class="integrations-shown">{Drawn && <Drawn row={row} />}</div>
      )}
      {dropped > 0 && <p class="hint">{texts.dropped(dropped)}</p>}
    </div>
  )
}

/** Lines `Name: value`; others are left out. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split('\n').flatMap(line => {
    const at = line.indexOf(':')
    return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()]] : []
  })
  return Object.fromEntries(pairs)
}
