// Apart from the dashboard, whose first load would contain the names of all files that these need.

export const loadLinksDialog = async () =>
  (await import('../../features/priority/links/links-dialog.tsx')).LinksDialog

export const loadPrescriptions = async () =>
  (await import('../../features/prescriptions/prescription-list.tsx')).PrescriptionList

export const loadDraftsBanner = async () =>
  (await import('../../features/whatsapp/drafts/drafts-banner.tsx')).DraftsBanner

export const loadCustomerMessages = async () =>
  (await import('../../features/whatsapp/order/customer-messages.tsx')).CustomerMessages
