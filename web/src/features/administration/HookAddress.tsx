import { useState } from 'preact/hooks'
import { Copied } from '../../common/MadeSecret.tsx'
import { strings } from '../../i18n/i18n.ts'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Select } from '../../ui/Select.tsx'

/** Names of products, which no language translates. The key ends the address in their form. */
const TOOLS = {
  github: 'GitHub',
  gitlab: 'GitLab',
  grafana: 'Grafana',
  alertmanager: 'Alertmanager',
  uptime_kuma: 'Uptime Kuma',
}
type Tool = keyof typeof TOOLS | 'slack'

interface Props {
  /** Undefined: it was shown before. Null: the response with it was lost. */
  url: string | null | undefined
  /** Undefined where there is no room for the question. */
  askNew: (() => void) | undefined
}

/** The address of a hook, shown this once with the fields of tools into which it is pasted; else the way to another. */
export function HookAddress({ url, askNew }: Props) {
  const texts = strings.hooks
  return (
    <section class="hook-part" aria-label={texts.address}>
      {typeof url === 'string' ? (
        <>
          <div class="admin-callout hook-once">
            <Icon name="key" size={20} />
            <div>
              <b>{texts.once}</b>
              <span class="hint">{texts.onceMore}</span>
            </div>
          </div>
          <Copied text={url} isFirst />
          <PasteInto url={url} />
        </>
      ) : (
        <>
          <span class="label">{texts.address}</span>
          {url === null ? <ErrorLine>{texts.lost}</ErrorLine> : <p class="hint">{texts.shownBefore}</p>}
          {askNew && (
            <button type="button" class="button" onClick={askNew}>
              <Icon name="link" size={16} />
              {texts.newAddress}
            </button>
          )}
        </>
      )}
    </section>
  )
}

function PasteInto({ url }: { url: string }) {
  const [isOpen, setOpen] = useState(false)
  const texts = strings.hooks
  return (
    <details class="integrations-more" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{texts.pasteInto}</summary>
      {isOpen && <Tools url={url} />}
    </details>
  )
}

function Tools({ url }: { url: string }) {
  const [tool, setTool] = useState<Tool>('github')
  const texts = strings.hooks
  return (
    <>
      <Select aria-label={texts.pasteInto} value={tool} choose={one => setTool(one as Tool)}>
        {Object.entries(TOOLS).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
        <option value="slack">{texts.slackTools}</option>
      </Select>
      <p class="hint" role="status">
        {texts.fields[tool]}
      </p>
      <Copied
        text={tool === 'slack' ? url : `${url}/${tool}`}
        label={texts.copyAddressFor(tool === 'slack' ? texts.slackTools : TOOLS[tool])}
      />
    </>
  )
}
