<?php
// A small shop: php -S 127.0.0.1:8000 shop.php. nginx.conf serves it with the checkout under one address.
declare(strict_types=1);

$secrets = explode(',', getenv('WEBHOOK_SECRET') ?: exit('Set WEBHOOK_SECRET.'));
$database = new PDO('sqlite:' . (getenv('SHOP_DB') ?: __DIR__ . '/shop.db'));
$database->exec('PRAGMA busy_timeout = 5000');
$database->exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, price INTEGER NOT NULL, paid_at TEXT, note TEXT)');
$database->exec('CREATE TABLE IF NOT EXISTS webhooks (id TEXT PRIMARY KEY)');

$route = $_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
match ($route) {
    'GET /' => showCart(),
    'POST /orders' => createOrder(),
    'GET /pay' => showCheckout(),
    'GET /order' => showOrder(),
    'POST /shop/order' => sendOrder(),
    'POST /shop/webhook' => takeWebhook(),
    default => respond(404, 'There is nothing here.'),
};

/** Freezes the order: its id stands for these goods at this price. Nobody can guess it, and only this browser has it. */
function createOrder(): void
{
    $id = bin2hex(random_bytes(16));
    query('INSERT INTO orders (id, price) VALUES (?, ?)', [$id, 650_000]);
    setcookie('order', $id, ['httponly' => true, 'samesite' => 'Lax', 'path' => '/']);
    header('Location: /pay', true, 303);
}

/** ORDER_URL: says which order the shopper with this cookie pays. */
function sendOrder(): void
{
    requireSignature();
    $order = findOrder();
    if ($order === null) {
        json(403, ['message' => 'There is nothing to pay; go back to the shop.']);
        return;
    }
    json(200, ['orderId' => $order['id'], 'amount' => ['value' => (int) $order['price'], 'currency' => 'NGN']]);
}

/** WEBHOOK_URL: takes each outcome once, however often it is sent. */
function takeWebhook(): void
{
    global $database;
    $event = requireSignature();
    $data = $event['data'];
    // `serve --check` sends the type test, to see whether it is taken.
    if ($event['type'] === 'test') {
        respond(204, '');
        return;
    }
    $database->beginTransaction();
    if (query('INSERT OR IGNORE INTO webhooks (id) VALUES (?)', [$_SERVER['HTTP_WEBHOOK_ID']])->rowCount() === 1) {
        ['orderId' => $id, 'amount' => ['value' => $price]] = $data['order'];
        if ($event['type'] === 'order.paid') {
            // An order that costs something else by now needs a person.
            $paid = query("UPDATE orders SET paid_at = datetime('now') WHERE id = ? AND price = ?", [$id, $price]);
            note($id, $paid->rowCount() === 1 ? 'is paid: ship it.' : 'is paid at another price: ask the shopper.');
        } elseif (!in_array($event['type'], ['order.expired', 'order.failed'], true)) {
            note($id, "{$event['type']}, {$data['money']['amount']['value']} kobo: a person must decide.");
        }
    }
    $database->commit();
    respond(204, '');
}

/** Verifies a request by the Standard Webhooks specification, and returns its body. Ends a forged or an old one with 401. */
function requireSignature(): array
{
    global $secrets;
    $body = file_get_contents('php://input');
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . ".$timestamp.$body";
    $given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
        foreach ($given as $signature) {
            if (hash_equals($expected, $signature) && abs(time() - (int) $timestamp) <= 300) {
                return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
            }
        }
    }
    respond(401, 'The signature is wrong.');
    exit;
}

function findOrder(): ?array
{
    return query('SELECT * FROM orders WHERE id = ?', [$_COOKIE['order'] ?? ''])->fetch(PDO::FETCH_ASSOC) ?: null;
}

function note(string $id, string $text): void
{
    query("UPDATE orders SET note = coalesce(note || ' ', '') || ? WHERE id = ?", [$text, $id]);
    error_log("Order $id $text");
}

function query(string $sql, array $values): PDOStatement
{
    global $database;
    $statement = $database->prepare($sql);
    $statement->execute($values);
    return $statement;
}

function showCart(): void
{
    page('<h1>Your cart</h1><p>One book, ₦6,500.00</p><form method="post" action="/orders"><button>Buy</button></form>'
        . '<p><a href="/pay">Your order</a></p>');
}

function showCheckout(): void
{
    page('<script src="/assets/checkout.js" async></script><transfer-checkout merchant-name="The PHP shop"></transfer-checkout>'
        . '<p><a href="/">Back to the shop</a></p>');
}

function showOrder(): void
{
    $order = findOrder();
    $status = ($order['paid_at'] ?? null) !== null ? 'Paid. We are packing your book.' : 'We are waiting for your payment.';
    page('<h1>Your order</h1><p>' . htmlspecialchars($status) . '</p><p><a href="/pay">Your payment</a></p>');
}

function page(string $content): void
{
    header('Cache-Control: no-store');
    respond(200, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><link rel=\"icon\" href=\"data:,\">"
        . "<title>The PHP shop</title>$content</html>", 'text/html; charset=utf-8');
}

function json(int $status, array $value): void
{
    respond($status, json_encode($value), 'application/json');
}

function respond(int $status, string $body, string $type = 'text/plain'): void
{
    http_response_code($status);
    header("Content-Type: $type");
    echo $body;
}
