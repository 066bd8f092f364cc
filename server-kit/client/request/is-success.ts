/** Whether a status is one of success: 2xx. Only then a callback counts as received. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
