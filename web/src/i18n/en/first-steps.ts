export const firstSteps = {
  firstSteps: {
    label: 'Next steps',
    others: 'Invite people',
    othersMore: 'Everyone who opens this address can create an account:',
    onlyHere:
      'Only this computer can open this address. For the others, set PUBLIC_URL on the server to its name or address in your network.',
    copy: 'Copy address',
    copied: 'Address copied',
    picture: 'Add your picture',
    pictureMore: 'Colleagues recognise you by it.',
    choosePicture: 'Choose picture',
    notifications: 'Turn on notifications',
    notificationsMore: 'For messages that concern you while bothy is in the background.',
    openNotifications: 'Notifications',
    invite: 'Invite people',
    inviteMore: 'By a link or a QR code.',
  },

  welcomeBar: {
    title: (workspace: string) => `Welcome to ${workspace}.`,
    signIn: 'Your username:',
    nameAndPicture: 'Add name and picture',
    name: 'Add your name',
    picture: 'Add your picture',
    notifications: 'Turn on notifications',
    homeScreen: 'Add to home screen',
    byShare: 'Tap Share in the browser, then “Add to Home Screen”.',
    close: 'Close welcome',
  },

  ownerCard: {
    title: 'You own this workspace.',
    back: 'Something on this server needs attention.',
    invite: 'Invite people',
    look: 'Name and logo',
    ready: 'Ready for the office?',
    putAway: 'Dismiss',
  },
}
