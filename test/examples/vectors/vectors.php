<?php
require $argv[1];

foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
    [$kind, $name, $one, $two, $three, $four] = explode("\t", $line) + array_fill(0, 6, '');
    $told = $kind === 'digest'
        ? isDigest($one, base64_decode($two))
        : isSigned(json_decode($one, true), $two, $three, json_decode($four, true));
    echo $name, ' ', $told ? 'true' : 'false', "\n";
}
