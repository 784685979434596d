export const firstSteps = {
  firstSteps: {
    label: 'Next steps',
    others: 'Invite people',
    othersMore: 'Everyone who opens this address can make an account:',
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

  ownerCard: {
    title: 'You own this workspace.',
    back: 'Something on this server needs attention.',
    invite: 'Invite people',
    look: 'Name and logo',
    ready: 'Ready for the office?',
    putAway: 'Dismiss',
  },
}
