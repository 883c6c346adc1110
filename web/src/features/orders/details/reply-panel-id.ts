/** The part of the details in which a message is written, for the button that opens it. */
export const replyPanelId = 'messaggio-al-cliente'
