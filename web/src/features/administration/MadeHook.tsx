import { useState } from 'preact/hooks'
import { Copied, MadeSecret } from '../../common/MadeSecret.tsx'
import { strings } from '../../i18n/i18n.ts'
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
  name: string
  /** Null if the response with it was lost. */
  url: string | null
  close: () => void
}

/** The address of a hook, a command that tries it, and the fields of tools into which it is pasted. */
export function MadeHook({ name, url, close }: Props) {
  const texts = strings.hooks
  return (
    <MadeSecret title={texts.addressOf(name)} secret={url} once={texts.once} lost={texts.lost} close={close}>
      {url !== null && (
        <>
          <Copied
            title={strings.tokens.tryIt}
            label={strings.tokens.copyCommand}
            text={`curl -d '${JSON.stringify({ text: texts.hello })}' '${url}'`}
          />
          <PasteInto url={url} />
        </>
      )}
    </MadeSecret>
  )
}

function PasteInto({ url }: { url: string }) {
  const [tool, setTool] = useState<Tool>('github')
  const texts = strings.hooks
  return (
    <div class="field">
      <span class="label">{texts.pasteInto}</span>
      <Select aria-label={texts.pasteInto} value={tool} choose={one => setTool(one as Tool)}>
        {Object.entries(TOOLS).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
        <option value="slack">{texts.slackTools}</option>
      </Select>
      <span class="hint" role="status">
        {texts.fields[tool]}
      </span>
      <Copied
        text={tool === 'slack' ? url : `${url}/${tool}`}
        label={texts.copyAddressFor(tool === 'slack' ? texts.slackTools : TOOLS[tool])}
      />
    </div>
  )
}
