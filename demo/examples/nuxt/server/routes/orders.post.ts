export default defineEventHandler((event) => {
  setCookie(event, 'order', createOrder(), { httpOnly: true, sameSite: 'lax' });
  return sendRedirect(event, '/pay', 303);
});
