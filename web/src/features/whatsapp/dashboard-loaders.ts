// Apart from the dashboard, whose first load would contain the names of all files that these need.

export const loadDraftsBanner = async () =>
  (await import('./drafts/drafts-banner.tsx')).DraftsBanner

export const loadCustomerMessages = async () =>
  (await import('./order/customer-messages.tsx')).CustomerMessages
