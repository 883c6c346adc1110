/** Id of the message panel, for `aria-controls` of the button that opens it. */
export const replyPanelId = 'messaggio-al-cliente'
