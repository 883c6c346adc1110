/** The signs of order codes, without I, O, 0 and 1, which are mistaken for each other. 32: a byte makes each as often. */
export const ORDER_CODE_SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const ORDER_CODE_LENGTH = 6

/** The short code in the text of an order over WhatsApp, which joins the order with the offers. */
export const ORDER_CODE = new RegExp(`^[${ORDER_CODE_SIGNS}]{${ORDER_CODE_LENGTH}}$`)
