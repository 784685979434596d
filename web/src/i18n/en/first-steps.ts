export const firstSteps = {
  firstSteps: {
    label: 'Next steps',
    others: 'Bring the others',
    othersMore: 'Everyone who opens this address can make an account:',
    copy: 'Copy address',
    copied: 'Address copied',
    picture: 'Add your picture',
    pictureMore: 'The others see at once who writes.',
    choosePicture: 'Choose picture',
    notifications: 'Turn on notifications',
    notificationsMore: 'For messages that concern you while bothy is in the background.',
    openNotifications: 'Notifications',
    invite: 'Invite people',
    inviteMore: 'A link or a QR code lets them in.',
  },

  ownerCard: {
    title: 'You own this workspace.',
    back: 'Something on this server needs a look.',
    invite: 'Invite people',
    look: 'Name and logo',
    ready: 'Ready for the office?',
    putAway: 'Put this card away',
  },
}
