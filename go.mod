module clawh5

go 1.26
