import { strings } from '../../i18n/i18n.ts'
import { commandsFor } from './command-list.ts'
import './CommandHelp.css'

/** The list of all commands, for /help. */
export const CommandHelp = () => (
  <dl class="command-help" tabIndex={0} aria-label={strings.commands.label}>
    {commandsFor('').map(({ name, input, about }) => (
      <div key={name}>
        <dt>
          <b>/{name}</b> {input}
        </dt>
        <dd>{about}</dd>
      </div>
    ))}
  </dl>
)
