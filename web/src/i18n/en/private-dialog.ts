export const privateDialog = {
  privateDialog: {
    name: 'Name',
    nameNeeded: 'A channel needs a name.',
    notMade: (name: string) => `The channel “${name}” could not be made. Try again.`,
    rename: 'Rename',
    notRenamed: (name: string) => `The channel could not be renamed to “${name}”. Try again.`,
    add: 'Add someone',
    addHint: 'They will see messages from now on, not earlier ones.',
    unknownUser: (name: string) => `Nobody here is called ${name}.`,
    notAdded: (name: string) => `${name} could not be added. Try again.`,
    leaveShort: 'Leave',
    leaveAsk: (name: string) => `Leave ${name}?`,
    leaveMore: 'Someone has to add you again.',
    leaveLast: 'You are the last one here. The channel stays, empty.',
  },
}
