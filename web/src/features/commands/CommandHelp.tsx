import { COMMANDS } from '#shared/domain/built-in-commands.ts'
import { strings } from '../../i18n/i18n.ts'
import './CommandHelp.css'

/** The list of all commands, for /help. */
export const CommandHelp = () => (
  <dl class="command-help" tabIndex={0} aria-label={strings.commands.label}>
    {COMMANDS.map(name => {
      const { input, about } = strings.commands.all[name]
      return (
        <div key={name}>
          <dt>
            <b>/{name}</b> {input}
          </dt>
          <dd>{about}</dd>
        </div>
      )
    })}
  </dl>
)
